using Mux.Engine;

namespace Mux.ProtocolCases.Cases;

/// <summary>Shows the same credential to every peer.</summary>
internal sealed class FixedCredentials : ICredentialProvider
{
    public string? WhyNotUnasked => null;

    public string? WhyWithheld(string? remoteAddress, bool isEncrypted) => null;

    public Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending) =>
        Task.FromResult(new ShownCredential([5, .. "probe"u8, 1, 2, 3], []));
}
