using System.Globalization;

namespace Evidence.Cold;

/// <summary>The TCP sockets of this machine whose own or other end is a port, by state, as Linux lists them.</summary>
/// <param name="Established">Connections, both ends counted.</param>
/// <param name="TimeWait">Ends that the system holds back for a minute.</param>
/// <param name="DialedTimeWait">Those of them that dialed the port: each keeps a port of its own.</param>
internal readonly record struct Sockets(int Established, int TimeWait, int DialedTimeWait)
{
    private const int OwnAddress = 1, OtherAddress = 2, State = 3; // columns
    private const string StateEstablished = "01", StateTimeWait = "06";

    public static Sockets Of(int port)
    {
        var end = ":" + port.ToString("X4", CultureInfo.InvariantCulture);
        string[] files = ["/proc/net/tcp", "/proc/net/tcp6"];
        var states = files.Where(File.Exists)
            .SelectMany(file => File.ReadLines(file).Skip(1))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns[OwnAddress].EndsWith(end, StringComparison.Ordinal) || columns[OtherAddress].EndsWith(end, StringComparison.Ordinal))
            .Select(columns => (State: columns[State], HasDialed: columns[OtherAddress].EndsWith(end, StringComparison.Ordinal)))
            .ToList();
        return new(
            states.Count(socket => socket.State == StateEstablished),
            states.Count(socket => socket.State == StateTimeWait),
            states.Count(socket => socket is { State: StateTimeWait, HasDialed: true }));
    }
}
