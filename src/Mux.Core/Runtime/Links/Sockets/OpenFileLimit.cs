using System.Globalization;

namespace Mux.Runtime;

/// <summary>The operating system's limit of open files, and so sockets, of this process.</summary>
internal static class OpenFileLimit
{
    /// <summary>Files that a process needs in addition to its connections: assemblies, listeners, logs, the socket engine, outgoing connections.</summary>
    public const int Reserve = 128;

    private const string LimitsFile = "/proc/self/limits";
    private const string Row = "Max open files";

    /// <summary>Reads the soft limit. Null if there is none or it cannot be read.</summary>
    public static long? Read()
    {
        try
        {
            return OperatingSystem.IsLinux() ? Parse(File.ReadLines(LimitsFile)) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Finds the soft limit in the kernel's table of name, soft limit, hard limit and unit.</summary>
    public static long? Parse(IEnumerable<string> lines)
    {
        var row = lines.FirstOrDefault(line => line.StartsWith(Row, StringComparison.Ordinal));
        var soft = row?[Row.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
        return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out long limit) ? limit : null; // "unlimited" is not a number
    }
}
