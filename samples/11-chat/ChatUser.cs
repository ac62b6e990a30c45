using Mux;

namespace Chat;

/// <summary>
/// A user in a room. The client stays connected, and enters again after each loss: to the server it is another connection then, which is in no room.
/// </summary>
public sealed class ChatUser : IChatClient, IAsyncDisposable
{
    private readonly Action<string> _show;
    private readonly Func<string, bool> _confirm;
    private readonly MuxChannel _channel;
    private string _refusal = string.Empty; // what was shown last of an entry that has failed; of one connection at a time

    private ChatUser(string address, string room, string name, Action<string> show, Func<string, bool> confirm)
    {
        (Room, Name, _show, _confirm) = (room, name, show, confirm);
        var options = new MuxChannelOptions { Address = address, KeepConnected = true, OnOpened = EnterAsync };
        _channel = MuxChannel.Create(options.AddService<IChatClient>(this));
        Chat = _channel.CreateProxy<IChat>();

        async ValueTask EnterAsync(MuxPeer server, CancellationToken cancellationToken)
        {
            try
            {
                string[] names = await server.Get<IChat>().Enter(room, name, cancellationToken: cancellationToken);
                _refusal = string.Empty;
                _show($"* in {room}: {string.Join(", ", names)}");
            }
            catch (MuxException error)
            {
                if (_refusal != error.Message) _show($"! not in {room}: {error.Message}"); // once, however often the channel tries again
                _refusal = error.Message;
                throw;
            }
        }
    }

    public string Room { get; }

    public string Name { get; }

    public IChat Chat { get; }

    /// <param name="address">Of the server.</param>
    /// <param name="room">The room to enter.</param>
    /// <param name="name">The name to be known by.</param>
    /// <param name="show">Shows a line. Any thread.</param>
    /// <param name="confirm">Answers a question of the server or of another one. Any thread.</param>
    public static ChatUser Start(string address, string room, string name, Action<string> show, Func<string, bool> confirm) => new(address, room, name, show, confirm);

    ValueTask IChatClient.Entered(string room, string name) => ShowAsync($"* {name} has entered {room}");

    ValueTask IChatClient.Left(string room, string name) => ShowAsync($"* {name} has left {room}");

    ValueTask IChatClient.Said(string room, Line line) => ShowAsync($"{line.Name}: {line.Text}");

    ValueTask<bool> IChatClient.Confirm(string question, CancellationToken cancellationToken) => new(_confirm(question));

    public ValueTask DisposeAsync() => _channel.DisposeAsync();

    private ValueTask ShowAsync(string line)
    {
        _show(line);
        return default;
    }
}
