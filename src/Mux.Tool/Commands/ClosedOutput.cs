using System.Runtime.InteropServices;

namespace Mux.Tool.Commands;

/// <summary>
/// Tells when the reader of the standard output has ended, such as after <c>| head</c>. The console of .NET drops what
/// is written then, so a command would never end. It is told like an interrupt, because results that go to files are
/// still worth writing.
/// </summary>
internal static partial class ClosedOutput
{
    private const int StandardOutput = 1;
    private const int InterruptedCall = 4; // EINTR
    private const short Failed = 8, HungUp = 16; // POLLERR of pipes, POLLHUP of sockets

    // Never disposed: the process has it until it ends.
    private static readonly CancellationTokenSource s_closed = new();

    /// <summary>Gets the token that is cancelled when the last reader is gone.</summary>
    public static CancellationToken Token => s_closed.Token;

    /// <summary>
    /// Begins to watch the standard output of this process, if it is redirected. Windows does not tell: there the
    /// output is dropped.
    /// </summary>
    public static void Watch()
    {
        if (OperatingSystem.IsWindows() || !Console.IsOutputRedirected) return;

        // On its own thread: it waits until the process ends, mostly.
        new Thread(AwaitClosing) { IsBackground = true, Name = "end of output" }.Start();
    }

    /// <summary>
    /// Gets the exit code of a command that ended because the reader of its output did: that of a process that SIGPIPE
    /// ended.
    /// </summary>
    public static int ExitCodeAfter(int exitCode) =>
        exitCode == ExitCode.Interrupted && s_closed.IsCancellationRequested ? ExitCode.OutputClosed : exitCode;

    /// <summary>
    /// Gets why the standard output cannot be written, if the console threw because of it: the disk of a file that takes
    /// it is full, or it was closed before the command began. Errors of the error stream do not get here
    /// (<see cref="ErrorOutput"/>), and those of the standard input are told by what reads it.
    /// </summary>
    /// <returns>Null if the console did not throw.</returns>
    public static string? CauseOf(Exception error) => error switch
    {
        { Source: not "System.Console" } => null,
        UnauthorizedAccessException => "it is closed.", // what the console makes of EBADF
        IOException => error.Message,
        _ => null,
    };

    private static void AwaitClosing()
    {
        // Asks for no event: that the other end is closed is always told. A file never tells it.
        var output = new PolledHandle { Handle = StandardOutput };
        int ready;
        do ready = Poll(ref output, 1, Timeout.Infinite);
        while (ready < 0 && Marshal.GetLastPInvokeError() == InterruptedCall);
        if (ready > 0 && (output.Told & (Failed | HungUp)) != 0) s_closed.Cancel();
    }

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(ref PolledHandle handle, nuint count, int milliseconds);

    [StructLayout(LayoutKind.Sequential)]
    private struct PolledHandle
    {
        public int Handle;
        public short Asked;
        public short Told;
    }
}
