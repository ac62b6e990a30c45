namespace Mux.Tests.Reflection;

internal sealed class Vault : IVault, ICellar
{
    public ValueTask<Door> Look(Door door) => new(door);

    public ValueTask<Gold> Open(Combination combination) => new(new Gold());

    public IAsyncEnumerable<Gold> Count(Ledger ledger, IAsyncEnumerable<Door> doors, CancellationToken cancellationToken) => AsyncEnumerable.Empty<Gold>();

    public ValueTask<Bottle> Fetch(Door door) => new(new Bottle());
}
