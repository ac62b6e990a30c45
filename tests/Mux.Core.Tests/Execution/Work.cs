using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>An item for the workers that does what a test wants.</summary>
internal sealed class Work(Action action) : IWork
{
    public string Name { get; init; } = "a test";

    public required IWorkOwner Owner { get; init; }

    public IWorkClock? Clock { get; init; }

    public Func<long, bool> IsOver { get; init; } = _ => false;

    public bool IsAbandoned(long now) => IsOver(now);

    public Action? OnAbandon { get; init; }

    public Action? OnRefuse { get; init; }

    public void Execute() => action();

    public void Abandon() => OnAbandon!();

    public void Refuse() => OnRefuse!();
}
