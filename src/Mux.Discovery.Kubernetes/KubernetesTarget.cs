using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Mux.Discovery.Kubernetes;

/// <summary>A port of a service of Kubernetes, as an address names it: <c>mux+k8s://service.namespace:port</c>. Immutable.</summary>
/// <param name="Scheme">The scheme of the servers' addresses: <c>mux</c> or <c>muxs</c>.</param>
/// <param name="Service">The name of the service.</param>
/// <param name="Namespace">Null for the namespace of the service account, or of the context of the kubeconfig file.</param>
/// <param name="Port">The name or the number of the port.</param>
internal sealed record KubernetesTarget(string Scheme, string Service, string? Namespace, string Port)
{
    /// <summary>The scheme of targets whose servers are reached by TCP.</summary>
    public const string TcpScheme = "mux+k8s";

    /// <summary>The scheme of targets whose servers are reached by TLS.</summary>
    public const string TlsScheme = "muxs+k8s";

    /// <summary>The schemes of this package.</summary>
    public static readonly string[] Schemes = [TcpScheme, TlsScheme];

    private const string Expected = "expected mux+k8s://service.namespace:port or muxs+k8s://service.namespace:port";

    // RFC 1123: names of services, namespaces and ports.
    private const int MaxLabelLength = 63;

    public bool IsTls => Scheme == MuxAddress.TlsScheme;

    public static KubernetesTarget Parse(string text) => TryParse(text, out var target, out var error) ? target : throw new FormatException(error);

    public static bool TryParse(string? text, [NotNullWhen(true)] out KubernetesTarget? target, [NotNullWhen(false)] out string? error)
    {
        target = null;
        var parts = text?.Split("://", 2) ?? [];
        if (parts is not [TcpScheme or TlsScheme, var rest])
        {
            error = $"'{text}' is not an address of Kubernetes: {Expected}.";
            return false;
        }

        rest = rest.EndsWith('/') ? rest[..^1] : rest;
        int portAt = rest.LastIndexOf(':');
        var port = rest[(portAt + 1)..];
        var names = portAt < 0 ? [] : rest[..portAt].Split('.');
        error = portAt < 0 ? $"'{text}' has no port: {Expected}, where port is the name or the number of a port of the pods."
            : names is not [_] and not [_, _] ? $"'{text}' has the host '{rest[..portAt]}': expected service or service.namespace, without a cluster domain."
            : !names.All(IsLabel) ? $"'{text}' has the host '{rest[..portAt]}': expected names of 1 to {MaxLabelLength} of a-z, 0-9 and '-'."
            : !IsPort(port) ? $"'{text}' has the port '{port}': expected a number from 1 to 65535, or a name of 1 to {MaxLabelLength} of a-z, 0-9 and '-'."
            : null;
        if (error is not null) return false;
        target = new KubernetesTarget(parts[0] == TlsScheme ? MuxAddress.TlsScheme : MuxAddress.TcpScheme, names[0], names.ElementAtOrDefault(1), port);
        return true;
    }

    /// <summary>Returns the target in a form that <see cref="Parse"/> accepts.</summary>
    public override string ToString() => $"{Scheme}+k8s://{Service}{(Namespace is null ? string.Empty : $".{Namespace}")}:{Port}";

    private static bool IsPort(string text) => text.All(char.IsAsciiDigit) && text.Length > 0
        ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number is > 0 and <= ushort.MaxValue
        : IsLabel(text);

    private static bool IsLabel(string text) => text.Length is > 0 and <= MaxLabelLength && text[0] != '-' && text[^1] != '-'
        && text.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '-');
}
