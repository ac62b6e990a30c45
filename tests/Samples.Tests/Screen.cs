using System.Collections.Concurrent;
using Chat;
using Mux.TestSupport.EndToEnd;

namespace Samples.Tests;

/// <summary>A user of samples/11-chat, and what is shown to it.</summary>
internal sealed class Screen : IAsyncDisposable
{
    private readonly ConcurrentQueue<string> _lines = new();

    private Screen(string address, string room, string name, bool answer) =>
        User = ChatUser.Start(address, room, name, _lines.Enqueue, question => question.StartsWith("Do you accept", StringComparison.Ordinal) || answer);

    public ChatUser User { get; }

    public IReadOnlyCollection<string> Lines => _lines;

    /// <summary>How often it has entered its room.</summary>
    public int Entries => _lines.Count(line => line.StartsWith("* in ", StringComparison.Ordinal));

    public static async Task<Screen> OpenAsync(string address, string room, string name, bool answer = true)
    {
        var screen = new Screen(address, room, name, answer);
        await Eventually.Holds(() => screen.Entries == 1, $"{name} is in {room}");
        return screen;
    }

    public Task Shows(string line) => Eventually.Holds(() => _lines.Contains(line), () => $"'{line}' among {string.Join(" | ", _lines.TakeLast(20))}");

    public ValueTask DisposeAsync() => User.DisposeAsync();
}
