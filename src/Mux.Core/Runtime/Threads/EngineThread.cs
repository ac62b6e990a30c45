using Microsoft.Win32.SafeHandles;

namespace Mux.Runtime;

/// <summary>Starts threads, unless that could end the process.</summary>
internal static class EngineThread
{
    /// <summary>Number of files a thread may open to start; no thread was ever seen to need more.</summary>
    private const int FilesToBegin = 4;

    [ThreadStatic]
    private static bool s_isOwn;

    private const int FileTableFull = 23; // ENFILE
    private const int TooManyFiles = 24; // EMFILE

    /// <summary>Starts a background thread that inherits nothing from the calling thread.</summary>
    /// <returns>
    /// False if the system has no more threads or files. A thread opens files to start, and the runtime ends the process if it cannot. The check can be
    /// outdated when the thread opens its files, but a process that runs out of files usually does so for longer.
    /// </returns>
    public static bool TryStart(Action run, string name)
    {
        if (!AreFilesLeft("/dev/null")) return false;
        try
        {
            new Thread(() => Run(run)) { IsBackground = true, Name = name }.UnsafeStart();
            return true;
        }
        catch (Exception error) when (error is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }

    /// <summary>
    /// Waits for a signal. Code of the user that ran on the thread may have had it interrupted (<see cref="Thread.Interrupt"/>), and the interrupt then strikes
    /// here, at the next wait: it was meant for that code, and does not end the wait.
    /// </summary>
    /// <returns>False if the time has passed; an interrupt begins it anew.</returns>
    public static bool Await(AutoResetEvent signal, TimeSpan time)
    {
        while (true)
        {
            try
            {
                return signal.WaitOne(time);
            }
            catch (ThreadInterruptedException)
            {
                // The interrupt is used up.
            }
        }
    }

    /// <summary>
    /// Uses up an interrupt that user code has left on the thread (see <see cref="Await"/>): before work that must not end in the middle. It costs some 220 ns:
    /// once per batch, and per call where each has an item of the pool. There is nothing cheaper: only a wait tells of an interrupt, and others wait longer.
    /// </summary>
    public static void AbsorbInterrupt()
    {
        try
        {
            Thread.CurrentThread.Join(0);
        }
        catch (ThreadInterruptedException)
        {
            // The interrupt is used up.
        }
    }

    /// <summary>
    /// Waits for a pulse like <see cref="Await"/>, but also returns after an interrupt. The caller holds the lock, and checks what it waits for.
    /// </summary>
    /// <param name="gate">The lock, which is free during the wait.</param>
    /// <param name="milliseconds">The longest wait; <see cref="Timeout.Infinite"/> for none.</param>
    public static void AwaitPulse(object gate, int milliseconds)
    {
        try
        {
            Monitor.Wait(gate, milliseconds);
        }
        catch (ThreadInterruptedException)
        {
            // The lock is held again, and the interrupt is used up.
        }
    }

    /// <summary>
    /// Enters a lock. An interrupt that user code has left on the thread (see <see cref="Await"/>) would strike if
    /// another thread holds the lock, and what the turn owes would not be done. For engine code that runs after user
    /// code, on its thread. On a thread of the user the interrupt was meant for what the user does there: the thread is
    /// interrupted again when it has left the lock.
    /// </summary>
    /// <returns>Leaves the lock when it is disposed.</returns>
    public static Entry Enter(Lock gate)
    {
        bool isInterrupted = false;
        while (true)
        {
            try
            {
                gate.Enter();
                return new Entry(gate, isInterrupted && !s_isOwn && !Thread.CurrentThread.IsThreadPoolThread);
            }
            catch (ThreadInterruptedException)
            {
                isInterrupted = true; // the lock was not entered
            }
        }
    }

    /// <returns>False if the process or the system has reached its limit of open files. Any other problem with <paramref name="path"/> does not keep a thread
    /// from starting.</returns>
    internal static bool AreFilesLeft(string path)
    {
        if (!OperatingSystem.IsLinux()) return true; // other systems have a distant limit
        var files = new SafeFileHandle?[FilesToBegin];
        try
        {
            for (int i = 0; i < files.Length; i++) files[i] = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            return true;
        }
        catch (Exception error)
        {
            return error is not IOException { HResult: FileTableFull or TooManyFiles };
        }
        finally
        {
            foreach (var file in files) file?.Dispose();
        }
    }

    /// <summary>Marks the thread as one of the engine: interrupts on it are left over, and not meant for what it does.</summary>
    public static void Run(Action run)
    {
        s_isOwn = true;
        run();
    }

    /// <summary>A lock that was entered.</summary>
    /// <param name="gate">The lock.</param>
    /// <param name="owesInterrupt">True if the thread of the user was interrupted meanwhile.</param>
    public readonly ref struct Entry(Lock gate, bool owesInterrupt)
    {
        public void Dispose()
        {
            gate.Exit();
            if (owesInterrupt) Thread.CurrentThread.Interrupt();
        }
    }
}
