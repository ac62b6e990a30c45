namespace Mux.Runtime;

/// <summary>Ends the call of an item that left its queue without running.</summary>
/// <param name="item">An item that was removed from the queue.</param>
/// <param name="isRefused">True to refuse it; false to end its call as abandoned.</param>
internal sealed class EndedWork(IWork item, bool isRefused) : IWork
{
    public string Name { get; } = item.Name;

    public IWorkOwner Owner { get; } = item.Owner;

    public IWorkClock? Clock => null;

    public bool IsAbandoned(long now) => false;

    public void Execute()
    {
        if (isRefused) item.Refuse();
        else item.Abandon();
    }
}
