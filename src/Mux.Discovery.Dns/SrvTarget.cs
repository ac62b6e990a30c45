using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Mux.Discovery.Dns;

/// <summary>The name in <c>mux+srv://_rpc._tcp.orders.prod</c>. Immutable.</summary>
/// <param name="Text">The address of the channel.</param>
/// <param name="Name">The name that has SRV records.</param>
/// <param name="IsTls">True if the servers speak TLS.</param>
internal sealed record SrvTarget(string Text, string Name, bool IsTls)
{
    private const string Scheme = "mux+srv";
    private const string SecureScheme = "muxs+srv";
    private const int MaxName = 253; // RFC 1035, as text
    private const int MaxLabel = 63;

    /// <summary>The schemes of this package.</summary>
    public static readonly string[] Schemes = [Scheme, SecureScheme];

    /// <summary>
    /// The name that the certificates of the servers must contain: without the labels of service and protocol, <c>orders.prod</c>. Not the hosts in the
    /// records, because an attacker that forges a record chooses them.
    /// </summary>
    public string ServerName
    {
        get
        {
            var labels = Name.Split('.');
            return string.Join('.', labels.SkipWhile(label => label.StartsWith('_')));
        }
    }

    /// <summary>Parses an address. If it is not valid, <paramref name="error"/> says what is allowed.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out SrvTarget? target, [NotNullWhen(false)] out string? error)
    {
        target = null;
        error = null;
        if (text?.Split("://", 2) is not [Scheme or SecureScheme, var rest])
        {
            error = $"'{text}' is not a name with SRV records: expected {Scheme}://_service._protocol.domain or {SecureScheme}://_service._protocol.domain.";
            return false;
        }

        bool isTls = text.StartsWith(SecureScheme, StringComparison.Ordinal);
        var name = rest.TrimEnd('/').TrimEnd('.');
        if (name.Contains(':', StringComparison.Ordinal))
        {
            error = $"'{text}' has a port: expected a name alone. Its SRV records have the ports.";
            return false;
        }

        var found = new SrvTarget(text, name, isTls);
        if (name.Length is 0 or > MaxName || !name.Split('.').All(IsLabel) || found.ServerName.Length == 0)
        {
            error = string.Create(CultureInfo.InvariantCulture, $"'{text}' has the name '{name}': expected at most {MaxName} characters, such as " +
                $"_rpc._tcp.orders.prod, with 1 to {MaxLabel} letters, digits, hyphens and underscores between dots, and a domain after the service.");
            return false;
        }

        target = found;
        return true;
    }

    private static bool IsLabel(string label) => label.Length is > 0 and <= MaxLabel && label.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_');
}
