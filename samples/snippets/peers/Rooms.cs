using Mux;

namespace Chatting;

public sealed class Rooms(MuxGroups<string, IChatClient> rooms)
{
    public ValueTask Enter(string room, string name, MuxPeer caller)
    {
        rooms[room].Add(caller);
        return rooms[room].Except(caller).Joined(name);
    }

    public void LeaveAll(MuxPeer caller) => rooms.RemoveFromAll(caller);
}
