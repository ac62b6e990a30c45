namespace Mux.TestSupport.Transports;

/// <summary>Handles the process has open, where the system tells.</summary>
public static class OpenHandles
{
    private const string Folder = "/proc/self/fd";

    /// <summary>0 where the system does not tell.</summary>
    public static int Count() => Directory.Exists(Folder) ? Directory.GetFiles(Folder).Length : 0;

    /// <summary>
    /// Those that are no files: sockets, pipes, polls. The runtime opens files whenever it loads an assembly or symbols, so their number says nothing.
    /// </summary>
    public static IReadOnlyList<string> WithoutFiles()
    {
        if (!Directory.Exists(Folder)) return [];
        return [.. Directory.GetFiles(Folder).Select(file => new FileInfo(file).LinkTarget).OfType<string>().Where(target => !target.StartsWith('/')).Order()];
    }
}
