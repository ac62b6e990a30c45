namespace Mux.Core.Tests.Callbacks;

/// <summary>A callback of a model.</summary>
/// <param name="id">The id that it must get.</param>
/// <param name="number">What it carries.</param>
/// <param name="task">Its task.</param>
/// <param name="cancellation">Cancels it.</param>
internal sealed class AskedCallback(ulong id, int number, Task<byte[]> task, CancellationTokenSource cancellation)
{
    private Action? _check;

    public ulong Id => id;

    public int Number => number;

    public Task<byte[]> Task => task;

    public CancellationTokenSource Cancellation => cancellation;

    public bool IsSent { get; set; }

    /// <summary>True if its outcome was decided before the end of the call.</summary>
    public bool IsDecided => _check is not null;

    /// <summary>Says what its outcome is.</summary>
    public void Decide(Action check)
    {
        _check = check;
        check();
    }

    /// <summary>Checks that its outcome has not changed.</summary>
    public void CheckAgain() => _check!();
}
