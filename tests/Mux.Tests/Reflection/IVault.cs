namespace Mux.Tests.Reflection;

/// <summary>A service of which everybody may look at the door, and managers open it.</summary>
[MuxService("test.Vault")]
public interface IVault
{
    [MuxAllowAnonymous]
    ValueTask<Door> Look(Door door);

    [MuxAuthorize(Roles = "manager")]
    [MuxError<Alarm>(3)]
    ValueTask<Gold> Open(Combination combination);

    [MuxAuthorize(Roles = "manager")]
    IAsyncEnumerable<Gold> Count(Ledger ledger, IAsyncEnumerable<Door> doors, CancellationToken cancellationToken = default);
}
