using Mux.Protocol;

namespace Mux.TestSupport.Connections;

/// <summary>Requests as a gateway sends them for its clients.</summary>
internal static class ForwardedRequest
{
    /// <summary>What comes before the body.</summary>
    public static byte[] Head(int ordinal, RequestOptions options = RequestOptions.None)
    {
        options |= GatewayMarks.OptionsOf(1);
        return [(byte)ordinal, (byte)(ordinal >> 8), (byte)options, (byte)((int)options >> 8)];
    }
}
