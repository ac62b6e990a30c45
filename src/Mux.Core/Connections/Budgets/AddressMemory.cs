namespace Mux.Connections.Budgets;

/// <summary>What the connections of one address hold together. Guarded by the lock of <see cref="MemoryBudget"/>.</summary>
/// <param name="host">The address.</param>
internal sealed class AddressMemory(string host)
{
    public string Host => host;

    /// <summary>How many share it.</summary>
    public int Connections { get; set; }

    /// <summary>Bytes.</summary>
    public long Used { get; set; }
}
