using System.Collections.Concurrent;

namespace Mux.Tests.EndToEnd;

/// <summary>A thread with a message loop and a synchronization context, as user interfaces have it.</summary>
internal sealed class CallerThread : SynchronizationContext, IDisposable
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _messages = [];
    private readonly Thread _thread;

    public CallerThread()
    {
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Runs code on the thread.</summary>
    public Task RunAsync(Func<Task> code)
    {
        var done = new TaskCompletionSource<Task>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(_ => done.SetResult(code()), null);
        return done.Task.Unwrap();
    }

    /// <summary>Fails if the current thread is another one.</summary>
    public void AssertCurrent()
    {
        Assert.Same(_thread, Thread.CurrentThread);
        Assert.Same(this, Current);
    }

    public override void Post(SendOrPostCallback d, object? state) => _messages.Add((d, state));

    public void Dispose()
    {
        _messages.CompleteAdding();
        _thread.Join();
        _messages.Dispose();
    }

    private void Run()
    {
        SetSynchronizationContext(this);
        foreach (var (callback, state) in _messages.GetConsumingEnumerable()) callback(state);
    }
}
