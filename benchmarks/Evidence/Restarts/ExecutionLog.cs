using System.IO.MemoryMappedFiles;

namespace Evidence.Restarts;

/// <summary>
/// Which calls were executed, how often: a byte per number in a file that all processes map. What a process has written stays when it is killed, because the
/// pages are the system's.
/// </summary>
internal sealed class ExecutionLog : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly Lock _gate = new();

    public ExecutionLog(string path)
    {
        Path = path;
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, Capacity);
        _view = _file.CreateViewAccessor();
    }

    /// <summary>Numbers below this can be noted.</summary>
    public const int Capacity = 256 * 1024 * 1024;

    public string Path { get; }

    /// <summary>Notes an execution. Processes do not compete for a number: a call runs at one server at a time.</summary>
    public void Note(int number)
    {
        lock (_gate) _view.Write(number, (byte)(_view.ReadByte(number) + 1));
    }

    public int CountOf(int number) => _view.ReadByte(number);

    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
