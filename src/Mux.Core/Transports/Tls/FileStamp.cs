namespace Mux.Transports.Tls;

/// <summary>By what a file is known to have changed, wherever links lead.</summary>
internal readonly record struct FileStamp(DateTime Written, long Length)
{
    /// <summary>Of the file that is there now; the default where none can be read.</summary>
    public static FileStamp Of(string? path)
    {
        if (path is null) return default;
        try
        {
            using var file = File.OpenHandle(path); // follows links, which the times of a path do not
            return new FileStamp(File.GetLastWriteTimeUtc(file), RandomAccess.GetLength(file));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return default;
        }
    }
}
