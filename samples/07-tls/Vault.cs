namespace Tls;

public sealed class Vault : IVault
{
    public ValueTask<string> Open(int number, CancellationToken cancellationToken = default) => new($"vault {number} is open");
}
