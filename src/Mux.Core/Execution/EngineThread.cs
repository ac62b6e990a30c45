using Microsoft.Win32.SafeHandles;

namespace Mux.Execution;

/// <summary>Starts threads, unless that could end the process.</summary>
internal static class EngineThread
{
    /// <summary>More than a thread was ever seen to need.</summary>
    private const int FilesToBegin = 4;

    private const int FileTableFull = 23; // ENFILE
    private const int TooManyFiles = 24; // EMFILE

    /// <summary>Starts a background thread that takes over nothing of the calling one.</summary>
    /// <returns>
    /// False if the system gives no more threads, or no more files: a thread opens some to begin, and the runtime ends a process whose thread cannot. Files
    /// that are there now may be gone when the thread opens them; but a process without files is mostly so for longer than that.
    /// </returns>
    public static bool TryStart(Action run, string name)
    {
        if (!AreFilesLeft("/dev/null")) return false;
        try
        {
            new Thread(() => run()) { IsBackground = true, Name = name }.UnsafeStart();
            return true;
        }
        catch (Exception error) when (error is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }

    /// <returns>False if the process or the system has as many files open as it may. Anything else that is wrong with <paramref name="path"/> keeps no thread
    /// from starting.</returns>
    internal static bool AreFilesLeft(string path)
    {
        if (!OperatingSystem.IsLinux()) return true; // elsewhere the limit is far
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
}
