namespace Chat;

/// <summary>What the server knows of a connection: <c>peer.State&lt;Member&gt;()</c>. It lives as long as the connection.</summary>
public sealed class Member
{
    private readonly HashSet<string> _rooms = [];
    private string _name = string.Empty;

    /// <summary>Empty until it has entered a room.</summary>
    public string Name
    {
        get => Volatile.Read(ref _name);
        set => Volatile.Write(ref _name, value);
    }

    public string[] Rooms
    {
        get
        {
            lock (_rooms) return [.. _rooms];
        }
    }

    /// <returns>True if this is its first room.</returns>
    public bool Enter(string room)
    {
        lock (_rooms)
        {
            _rooms.Add(room);
            return _rooms.Count == 1;
        }
    }

    public bool Leave(string room)
    {
        lock (_rooms) return _rooms.Remove(room);
    }
}
