/* SPDX-License-Identifier: MIT */
/* Signatures that ordinary tools make and check: minisign's (SHA256SUMS.minisig) and OpenSSH's
 * (SHA256SUMS.sig, namespace "file").  Those tools are called; no secret is read here. */
#include "checks.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { KEY_BYTES_MAX = 1 << 20 };

/* ---- calling a tool
 * ------------------------------------------------------------------------------------------- */

/* Runs a tool with `input` (NULL: ours) as its standard input, its own output dropped, its complaints too
 * unless `loud`.  `*fine`: it exited with 0.  VG_IO where it cannot be run. */
static int call_tool(struct vg_call *call, const char *const *arguments, const char *input, bool loud,
                     bool *fine)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, fault;

    posix_spawn_file_actions_init(&actions);
    if (input != NULL)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!loud)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    fault = posix_spawnp(&child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault == 0 && waitpid(child, &status, 0) != child)
        fault = 1;
    if (fault != 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
        return vg_fail(&call->err, VG_IO, arguments[0],
                       "cannot be run; install it (Debian: minisign, openssh-client)");
    *fine = WEXITSTATUS(status) == 0;
    return VG_OK;
}

/* ---- keys
 * ----------------------------------------------------------------------------------------------------- */

enum maker { MINISIGN, SSH };
static const char *const endings[] = {".minisig", ".sig"};

struct key {
    enum maker maker;
    const char *path, *text;
};

static int read_key(struct vg_call *call, const char *path, struct key *key)
{
    char *text;
    size_t count;
    int rc = vg_file_get(path, KEY_BYTES_MAX, &call->arena, &text, &count, &call->err);

    if (rc != VG_OK)
        return rc;
    *key = (struct key){strncmp(text, "untrusted comment:", 18) == 0 ? MINISIGN : SSH, path, text};
    if (key->maker == SSH && strstr(text, "ssh-") == NULL && strstr(text, "ecdsa-") == NULL &&
        strstr(text, "OPENSSH PRIVATE KEY") == NULL)
        return vg_fail(&call->err, VG_USAGE, path, "is neither a key of minisign nor one of SSH");
    return VG_OK;
}

/* Lists of allowed signers begin with whom they are about, public keys with their kind. */
static bool is_bare_ssh_key(const char *text)
{
    return strncmp(text, "ssh-", 4) == 0 || strncmp(text, "ecdsa-", 6) == 0 || strncmp(text, "sk-", 3) == 0;
}

/* ---- checking
 * --------------------------------------------------------------------------------------------------- */

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

/* minisign's keys and signatures name their key: 8 bytes behind 2 of the algorithm, on the second line. */
static bool read_key_id(const char *text, unsigned char id[8])
{
    const char *line = strchr(text, '\n');
    unsigned char bytes[12];

    for (int i = 0; line != NULL && i < 4; i++) {
        int d[4];

        for (int k = 0; k < 4; k++) {
            d[k] = line[1 + 4 * i + k] != '\0' ? base64_digit(line[1 + 4 * i + k]) : -1;
            if (d[k] < 0)
                return false;
        }
        bytes[3 * i] = (unsigned char)(d[0] << 2 | d[1] >> 4);
        bytes[3 * i + 1] = (unsigned char)(d[1] << 4 | d[2] >> 2);
        bytes[3 * i + 2] = (unsigned char)(d[2] << 6 | d[3]);
    }
    if (line != NULL)
        memcpy(id, bytes + 2, 8);
    return line != NULL;
}

static int check_minisign(struct vg_call *call, const struct key *key, const char *file,
                          const char *signature, bool *fine, bool *other_key)
{
    const char *arguments[] = {"minisign", "-V", "-q", "-p", key->path, "-m", file, "-x", signature, NULL};
    unsigned char ours[8], theirs[8];
    char *text;
    size_t count;
    int rc = vg_file_get(signature, KEY_BYTES_MAX, &call->arena, &text, &count, &call->err);

    if (rc == VG_OK)
        rc = call_tool(call, arguments, NULL, false, fine);
    if (rc == VG_OK && !*fine)
        *other_key =
            read_key_id(key->text, ours) && read_key_id(text, theirs) && memcmp(ours, theirs, 8) != 0;
    return rc;
}

/* A file of allowed signers that holds the bare key. */
static int write_signers(struct vg_call *call, const struct key *key, char **path)
{
    const char *folder = getenv("TMPDIR");
    struct vg_text text = {0};
    int descriptor;
    bool fine;

    *path = vg_arena_format(&call->arena, "%s/vocalgrad-XXXXXX",
                            folder != NULL && *folder != '\0' ? folder : "/tmp");
    descriptor = mkstemp(*path);
    if (descriptor < 0)
        return vg_fail_errno(&call->err, VG_IO, *path, "cannot create");
    vg_text_addf(&text, "release %s", key->text);
    fine = write(descriptor, text.data, text.length) == (ssize_t)text.length;
    fine = close(descriptor) == 0 && fine;
    vg_text_release(&text);
    return fine ? VG_OK : vg_fail_errno(&call->err, VG_IO, *path, "cannot write");
}

/* The first name of a file of allowed signers. */
static const char *first_signer(struct vg_call *call, const char *text)
{
    while (*text == '#' || *text == '\n') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return vg_arena_text_part(&call->arena, text, strcspn(text, " ,\t\n"));
}

static int check_ssh(struct vg_call *call, const struct key *key, const char *file, const char *signature,
                     bool *fine, bool *other_key)
{
    bool bare = is_bare_ssh_key(key->text);
    const char *signers = key->path, *who = bare ? "release" : first_signer(call, key->text);
    char *temporary = NULL;
    int rc = bare ? write_signers(call, key, &temporary) : VG_OK;

    if (temporary != NULL)
        signers = temporary;
    if (rc == VG_OK) {
        const char *verify[] = {"ssh-keygen", "-Y", "verify", "-f", signers,   "-I",
                                who,          "-n", "file",   "-s", signature, NULL};
        const char *alone[] = {"ssh-keygen", "-Y", "check-novalidate", "-n", "file", "-s", signature, NULL};

        rc = call_tool(call, verify, file, false, fine);
        if (rc == VG_OK && !*fine)
            rc = call_tool(call, alone, file, false, other_key);
    }
    if (temporary != NULL)
        (void)unlink(temporary);
    return rc;
}

static int check_one(struct vg_call *call, const struct key *key, const char *folder, const char *name)
{
    const char *file = vg_path_join(&call->arena, folder, name);
    const char *signature = vg_arena_format(&call->arena, "%s%s", file, endings[key->maker]);
    bool fine = false, other_key = false;
    int rc;

    if (!vg_file_exists(signature))
        return vg_fail(&call->err, VG_NO, signature, "is missing: %s is not signed with a key of this kind",
                       name);
    if (!vg_file_exists(file))
        return vg_fail(&call->err, VG_NO, file, "is missing; its signature is there");
    rc = key->maker == MINISIGN ? check_minisign(call, key, file, signature, &fine, &other_key)
                                : check_ssh(call, key, file, signature, &fine, &other_key);
    if (rc != VG_OK || fine)
        return rc;
    if (other_key)
        return vg_fail(&call->err, VG_NO, signature, "was made with another key than the one in %s",
                       key->path);
    return vg_fail(&call->err, VG_NO, file, "is not what was signed: it, or its signature, was altered");
}

int vg_check_signature(struct vg_call *call, const char *folder, const char *path)
{
    struct key key;
    int rc = read_key(call, path, &key);

    if (rc == VG_OK)
        rc = check_one(call, &key, folder, vg_sha256sums_name);
    if (rc == VG_OK && vg_file_exists(vg_path_join(&call->arena, folder, vg_provenance_name)))
        rc = check_one(call, &key, folder, vg_provenance_name);
    if (rc == VG_OK)
        vg_say(call, "%s: signed by the key in %s", folder, path);
    return rc;
}

/* ---- signing
 * ---------------------------------------------------------------------------------------------------- */

static int sign_one(struct vg_call *call, const struct key *key, const char *folder, const char *name,
                    const char *comment)
{
    const char *file = vg_path_join(&call->arena, folder, name);
    const char *signature = vg_arena_format(&call->arena, "%s%s", file, endings[key->maker]);
    const char *minisign[] = {"minisign", "-S",    "-s",      key->path, "-m",
                              file,       "-x",    signature, "-c",      "signature of a vocalgrad release",
                              "-t",       comment, NULL};
    const char *ssh[] = {"ssh-keygen", "-Y", "sign", "-f", key->path, "-n", "file", file, NULL};
    bool fine = false;
    int rc;

    (void)unlink(signature); /* ssh-keygen would ask */
    rc = call_tool(call, key->maker == MINISIGN ? minisign : ssh, NULL, true, &fine);
    if (rc == VG_OK && (!fine || !vg_file_exists(signature)))
        rc = vg_fail(&call->err, VG_IO, signature, "was not made; %s said why",
                     key->maker == MINISIGN ? "minisign" : "ssh-keygen");
    return rc;
}

int vg_sign(struct vg_call *call, const char *folder, const char *path)
{
    struct vg_about about;
    struct key key;
    const char *comment;
    int rc = vg_about_read(&about, folder, &call->arena, &call->err);

    if (rc == VG_OK)
        rc = read_key(call, path, &key);
    if (rc != VG_OK)
        return rc;
    /* a comment of our own: minisign's would have the time in it */
    comment =
        vg_arena_format(&call->arena, "%s %s release id %s", about.name, about.version, about.release_id);
    rc = sign_one(call, &key, folder, vg_sha256sums_name, comment);
    if (rc == VG_OK && vg_file_exists(vg_path_join(&call->arena, folder, vg_provenance_name)))
        rc = sign_one(call, &key, folder, vg_provenance_name, comment);
    return rc;
}
