using Mux.Identity;

namespace Mux.Configuration;

/// <summary>Reads the identity options of a server and the key of a client. No failure repeats a key.</summary>
internal static class IdentityReader
{
    public static void Read(SectionReader section, MuxIdentityOptions options)
    {
        section.Duration(nameof(options.SharedKeyLifetime), value => options.SharedKeyLifetime = value);
        section.Flag(nameof(options.TrustTransport), value => options.TrustTransport = value);
        section.Flag(nameof(options.AllowAnonymous), value => options.AllowAnonymous = value);
        section.Duration(nameof(options.AuthenticationTimeout), value => options.AuthenticationTimeout = value);
        section.Number(nameof(options.MaxConcurrentAuthentications), value => options.MaxConcurrentAuthentications = value);
        section.Number(nameof(options.MaxConcurrentAuthenticationsPerAddress), value => options.MaxConcurrentAuthenticationsPerAddress = value);
        section.Text(nameof(options.Gateways), value =>
        {
            foreach (var name in ListOf(value)) options.Gateways.Add(name);
        });
        if (section.Part(nameof(options.SharedKeys), isSecret: true) is not { } keys) return;
        foreach (var (id, part) in keys.Parts())
        {
            var roles = string.Empty;
            part.Text("Roles", value => roles = value);
            if (ReadKey(part, id, ListOf(roles)) is { } key)
            {
                options.SharedKeys.Add(key);
            }
        }
    }

    /// <summary>Reads the key of a client, if its section has one.</summary>
    public static void Read(SectionReader section, MuxChannelOptions options)
    {
        if (section.Part("SharedKey", isSecret: true) is not { } part) return;
        string? id = null;
        bool bindToTls = true;
        part.Text("Id", value => id = value);
        part.Flag(nameof(SharedKeyCredentials.BindToTls), value => bindToTls = value);
        part.Misplaced("Roles", $"the roles of a client are set at the server " +
            $"({ConfigurationPaths.Server}:Identity:SharedKeys:{(string.IsNullOrEmpty(id) ? "ID" : id)}:Roles), and have no effect here: remove them.");
        if (ReadKey(part, id, roles: []) is { } key) options.Credentials = new SharedKeyCredentials(key) { BindToTls = bindToTls };
    }

    private static string[] ListOf(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static SharedKey? ReadKey(SectionReader section, string? id, string[] roles)
    {
        string? key = null;
        section.Text("Key", value => key = value);
        try
        {
            if (string.IsNullOrEmpty(id)) section.Fail("Id", "missing.");
            else if (string.IsNullOrEmpty(key)) section.Fail("Key", $"missing: at least {SharedKey.MinLength} random bytes in base 64.");
            else return SharedKey.FromBase64(id, key, roles);
        }
        catch (ArgumentException error)
        {
            section.Fail(error.ParamName == "id" ? "Id" : "Key", WithoutParameter(error));
        }

        return null;
    }

    private static string WithoutParameter(ArgumentException error) =>
        error.Message.Replace($" (Parameter '{error.ParamName}')", string.Empty, StringComparison.Ordinal);
}
