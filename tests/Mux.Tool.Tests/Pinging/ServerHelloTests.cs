using Mux.Tool.Pinging;

namespace Mux.Tool.Tests.Pinging;

/// <summary>What a server says of itself.</summary>
public sealed class ServerHelloTests
{
    private static readonly byte[] s_preface = [1, 2, 3, 4, 5, 6, 7, 8];

    // Settings 10 (name), 3 (calls), 14 (authentication) and 99, which is unknown.
    private static readonly byte[] s_payload = [1, 1, 0, 0, 10, 0, 2, 0, (byte)'a', (byte)'b', 3, 0, 4, 0, 0, 1, 0, 0, 14, 0, 4, 0, 1, 0, 0, 0, 99, 0, 1, 0, 7];

    [Fact]
    public void It_is_read_as_soon_as_it_is_complete()
    {
        byte[] bytes = [.. s_preface, (byte)s_payload.Length, 0, 0, 1, 0, 0, 0, 0, .. s_payload];
        for (int length = 0; length < bytes.Length; length++) Assert.False(ServerHello.TryRead(bytes.AsSpan(0, length), out _));

        Assert.True(ServerHello.TryRead([.. bytes, 5, 5], out var hello));

        Assert.Equal(new ServerHello("ab", null, MaxCalls: 256, MaxMessageBytes: 4 * 1024 * 1024, RequiresAuthentication: true), hello);
    }

    [Fact]
    public void Another_frame_is_none()
    {
        Assert.True(ServerHello.TryRead([.. s_preface, 0, 0, 0, 3, 0, 0, 0, 0], out var hello));
        Assert.Null(hello);
    }
}
