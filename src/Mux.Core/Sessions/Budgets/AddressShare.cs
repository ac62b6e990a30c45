namespace Mux.Sessions.Budgets;

/// <summary>What the connections of one address have together. Guarded by the lock of <see cref="HandlerLimit"/>.</summary>
/// <param name="host">The address, as <see cref="HandlerLimit"/> finds it.</param>
internal sealed class AddressShare(string host)
{
    public string Host => host;

    /// <summary>How many share it.</summary>
    public int Connections { get; set; }

    /// <summary>Requests that they may have unanswered.</summary>
    public long Taken { get; set; }
}
