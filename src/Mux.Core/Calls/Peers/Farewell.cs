using Mux.Engine;

namespace Mux.Calls;

/// <summary>
/// Runs code of users for a connection that has ended: one thing after the other, and each for a limited time. What never ends keeps nothing else of the
/// connection, and what fails is told. Safe for concurrent use.
/// </summary>
internal sealed class Farewell(Connection connection)
{
    /// <summary>The time that each has. Part of what public methods promise.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Runs code until it ends, or its time does; then it continues alone. It gets a thread of its own: it may block
    /// before its first await, and this thread has others to tell.
    /// </summary>
    /// <param name="code">The code.</param>
    /// <param name="name">Names it for people.</param>
    /// <returns>False if its time has ended.</returns>
    public Task<bool> RunAsync(Func<ValueTask> code, string name)
    {
        var running = new Running(code);
        connection.Options.Work.AddUserCode(running);
        return WaitAsync(running.Ended, name);
    }

    /// <summary>Waits until code that runs has ended, or its time has; then it continues alone.</summary>
    /// <inheritdoc cref="RunAsync"/>
    public async Task<bool> WaitAsync(Task code, string name)
    {
        await code.WaitAsync(Patience, connection.Clock.Provider).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (code.IsCompleted)
        {
            await TellFailureAsync(code).ConfigureAwait(false);
            return true;
        }

        connection.Owner.OnUserCodeFailed(connection, new TimeoutException(
            $"{name} has not ended {Patience.TotalSeconds} s after the connection has. What else belongs to the connection ends without it."));
        _ = TellFailureAsync(code);
        return false;
    }

    private async Task TellFailureAsync(Task code)
    {
        try
        {
            await code.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            connection.Owner.OnUserCodeFailed(connection, error);
        }
    }

    private sealed class Running(Func<ValueTask> code) : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Ended => _ended.Task;

        public void Execute() => _ = RunAsync();

        private async Task RunAsync()
        {
            try
            {
                await code().ConfigureAwait(false);
                _ended.SetResult();
            }
            catch (Exception error)
            {
                _ended.SetException(error);
            }
        }
    }
}
