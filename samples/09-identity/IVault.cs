using Mux;

namespace Identity;

[MuxService("bank.Vault"), MuxAuthorize]
public interface IVault
{
    ValueTask<string> Open(int number, MuxCallOptions? options = null);

    [MuxAuthorize("trusted", Roles = "manager")]
    ValueTask<string> Empty(int number);

    [MuxAllowAnonymous]
    ValueTask<string> OpeningHours();
}
