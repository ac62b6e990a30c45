namespace Mux.Execution;

/// <summary>Ends the call of an item that left its queue without being run.</summary>
/// <param name="item">Out of the queue.</param>
/// <param name="isRefused">Whether it is refused; else its call is over.</param>
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
