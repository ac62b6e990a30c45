namespace Mux.Transports.Tls;

/// <summary>Write time and length of a file, to detect changes. Follows links.</summary>
internal readonly record struct FileStamp(DateTime Written, long Length)
{
    /// <summary>Reads the stamp of the current file; default if it cannot be read.</summary>
    public static FileStamp Of(string? path)
    {
        if (path is null) return default;
        try
        {
            using var file = File.OpenHandle(path); // follows links; the timestamps of a path do not
            return new FileStamp(File.GetLastWriteTimeUtc(file), RandomAccess.GetLength(file));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return default;
        }
    }
}
