using Mux.Connections;

namespace Mux.ProtocolCases.Cases;

/// <summary>Shows the same to whoever asks.</summary>
internal sealed class FixedCredentials : ICredentialProvider
{
    public Task<byte[]> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending) => Task.FromResult<byte[]>([5, .. "probe"u8, 1, 2, 3]);
}
