using Mux;

namespace Tls;

[MuxService("bank.Vault")]
public interface IVault
{
    ValueTask<string> Open(int number, CancellationToken cancellationToken = default);
}
