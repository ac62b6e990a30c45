using Mux.Tool.Reporting;

namespace Mux.Tool.Gateway;

/// <summary>A route of <c>mux gateway</c>: the services, and the address to which their calls go.</summary>
/// <param name="Pattern">See <see cref="MuxRoute.Pattern"/>.</param>
/// <param name="Address">Address of a channel.</param>
internal sealed record GatewayTarget(string Pattern, string Address)
{
    /// <summary>Reads a route of the command line.</summary>
    /// <exception cref="ToolException">It is none.</exception>
    public static GatewayTarget Parse(string text)
    {
        int at = text.IndexOf('=', StringComparison.Ordinal);
        if (at > 0 && text.IndexOf("://", at, StringComparison.Ordinal) > 0) return new(text[..at].Trim(), text[(at + 1)..].Trim());
        if (at > 0 && at < text.Length - 1)
        {
            throw new ToolException(ExitCode.Usage, $"--route: '{PrintableText.Of(text)}': '{PrintableText.Of(text[(at + 1)..])}' has no scheme: expected " +
                "an address such as mux://10.0.0.7:7070, muxs://orders.prod:7070 or mux+dns://shop.prod:7070.");
        }

        throw new ToolException(ExitCode.Usage,
            $"--route: '{PrintableText.Of(text)}' is not a route: expected SERVICE=ADDRESS such as shop.Orders=mux://10.0.0.7:7070, or a prefix such as " +
            "shop.*=mux+dns://shop.prod:7070.");
    }
}
