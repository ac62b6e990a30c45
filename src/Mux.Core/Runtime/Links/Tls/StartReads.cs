using System.Runtime.ExceptionServices;

namespace Mux.Runtime;

/// <summary>Loads something, or says why it cannot.</summary>
/// <returns>Null if it cannot be used; <paramref name="error"/> then names it and the reason.</returns>
internal delegate T? TryLoad<T>(out string? error)
    where T : class;

/// <summary>
/// Reads what a transport needs before it exists. A disk may block, and a start that hangs does not say why: so a
/// thread of its own reads, and the start is given up after a while. That thread cannot be ended, and lives until the
/// disk answers. Safe for concurrent use.
/// </summary>
/// <param name="longest">Time for each read.</param>
/// <param name="begins">Runs before each read, on its thread: a test blocks there in place of a disk.</param>
internal sealed class StartReads(TimeSpan longest, Action? begins = null)
{
    /// <summary>Those of every start: as long as a look of <see cref="CertificateSource"/>.</summary>
    public static StartReads Default { get; } = new(CertificateSource.LongestLook);

    /// <summary>Time for each read.</summary>
    public TimeSpan Longest => longest;

    /// <param name="what">Names what is read, for the error.</param>
    /// <param name="load">Reads it. It continues after the time has passed, and its result is dropped then.</param>
    /// <param name="error">Why there is no result.</param>
    /// <returns>Null if it cannot be used, or the time has passed.</returns>
    public T? Try<T>(string what, TryLoad<T> load, out string? error)
        where T : class
    {
        var read = new Read<T>(load, begins);
        if (!EngineThread.TryStart(read.Run, "Mux start")) return load(out error); // no thread is left to wait for
        if (read.Ended.Wait(longest)) return read.Take(out error);
        error = $"{what} was not read within {longest.TotalSeconds:0.###} s: its disk blocks. The start was given up.";
        return null;
    }

    /// <summary>One read. Its thread writes the outcome before the end is signalled.</summary>
    private sealed class Read<T>(TryLoad<T> load, Action? begins)
        where T : class
    {
        private T? _result;
        private string? _error;
        private ExceptionDispatchInfo? _thrown;

        public ManualResetEventSlim Ended { get; } = new();

        public void Run()
        {
            try
            {
                begins?.Invoke();
                _result = load(out _error);
            }
            catch (Exception error)
            {
                _thrown = ExceptionDispatchInfo.Capture(error); // the caller's: the thread must not end the process
            }

            Ended.Set();
        }

        public T? Take(out string? error)
        {
            _thrown?.Throw();
            error = _error;
            return _result;
        }
    }
}
