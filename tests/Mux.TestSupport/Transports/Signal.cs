namespace Mux.TestSupport.Transports;

/// <summary>Something that happens once. Set by any thread, awaited by the test.</summary>
/// <param name="what">What is awaited, for the message when it does not come.</param>
public sealed class Signal(string what)
{
    private readonly TaskCompletionSource _source = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsSet => _source.Task.IsCompleted;

    public void Set() => _source.TrySetResult();

    /// <exception cref="TimeoutException">It did not happen in time.</exception>
    public Task WaitAsync() => _source.Task.Within(what);

    /// <summary>For code that has to block, such as a handler that holds up its link.</summary>
    /// <exception cref="TimeoutException">It did not happen in time.</exception>
    public void Wait() => WaitAsync().GetAwaiter().GetResult();
}
