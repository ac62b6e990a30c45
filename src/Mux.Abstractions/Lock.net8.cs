namespace Mux;

/// <summary>What the framework has from .NET 9 on, as far as it is used here: the monitor of the object itself.</summary>
internal sealed class Lock
{
    public bool IsHeldByCurrentThread => Monitor.IsEntered(this);
}
