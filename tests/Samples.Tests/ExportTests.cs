using System.Collections.Concurrent;
using Chat;
using Mux;
using Mux.TestSupport.Transports;

namespace Samples.Tests;

/// <summary>The method of samples/11-chat that takes a callback.</summary>
public sealed class ExportTests
{
    [Fact]
    public async Task An_export_asks_first_and_reports_after_each_block_of_the_file()
    {
        string file = Path.Combine(Path.GetTempPath(), $"mux-chat-{Guid.NewGuid():N}");
        var (questions, shown) = (new ConcurrentQueue<string>(), new ConcurrentQueue<string>());
        try
        {
            await using var server = ChatServer.Start("mux://127.0.0.1:0");
            await using var ann = await OpenAsync(server, lines: 50);
            await File.WriteAllTextAsync(file, "what was there before", TestContext.Current.CancellationToken);

            int written = await ann.User.Chat.Export("lobby", new FileExport(file, shown.Enqueue, Confirm), TestContext.Current.CancellationToken);

            Assert.Equal(50, written);
            Assert.Equal(["Export 50 lines of lobby?"], questions);
            Assert.Equal(["* exported 40%", "* exported 80%", "* exported 100%"], shown); // all of them before the call returned
            Assert.Equal(Enumerable.Range(1, 50).Select(i => $"ann: line {i}"), await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken));
        }
        finally
        {
            File.Delete(file);
        }

        bool Confirm(string question)
        {
            questions.Enqueue(question);
            return true;
        }
    }

    [Fact]
    public async Task Who_does_not_agree_gets_nothing()
    {
        string file = Path.Combine(Path.GetTempPath(), $"mux-chat-{Guid.NewGuid():N}");
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await OpenAsync(server, lines: 5);

        Assert.Equal(0, await ann.User.Chat.Export("lobby", new FileExport(file, _ => { }, confirm: _ => false), TestContext.Current.CancellationToken));

        Assert.False(File.Exists(file));
    }

    [Fact]
    public async Task A_file_that_cannot_be_written_ends_the_export_with_the_reason()
    {
        string file = Path.Combine(Path.GetTempPath(), $"mux-chat-{Guid.NewGuid():N}", "in a folder that is not there");
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await OpenAsync(server, lines: 5);

        var error = await Assert.ThrowsAsync<MuxException>(async () =>
            await ann.User.Chat.Export("lobby", new FileExport(file, _ => { }, confirm: _ => true), TestContext.Current.CancellationToken));

        Assert.Equal(MuxStatus.Aborted, error.Status);
        Assert.Contains("after 0 lines", error.Message, StringComparison.Ordinal);
        Assert.Contains(file, error.Message, StringComparison.Ordinal);
        await ann.User.Chat.Say("lobby", "still here"); // the call ended, the connection did not
        await ann.Shows("ann: still here");
    }

    [Fact]
    public async Task A_question_that_nobody_answers_ends_with_the_call()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await OpenAsync(server, lines: 5);
        var sut = new Unanswered();
        using var cancellation = new CancellationTokenSource();
        var call = ann.User.Chat.Export("lobby", sut, cancellation.Token).AsTask();
        await sut.Asked.Task.Within("the question");

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the end of the call"));
        await sut.Cancelled.Task.Within("the end of the question");
    }

    private static async Task<Screen> OpenAsync(ChatServer server, int lines)
    {
        var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        for (int i = 1; i <= lines; i++) await ann.User.Chat.Say("lobby", $"line {i}");
        return ann;
    }

    private sealed class Unanswered : IExport
    {
        public TaskCompletionSource Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Cancelled { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<bool> Confirm(string question, CancellationToken cancellationToken)
        {
            using var registration = cancellationToken.Register(() => Cancelled.TrySetResult());
            Asked.SetResult();
            await Cancelled.Task;
            return true;
        }

        public ValueTask Write(Line[] lines, CancellationToken cancellationToken) => throw new InvalidOperationException("Nobody has agreed.");

        public ValueTask Report(int percent) => throw new InvalidOperationException("Nothing was written.");
    }
}
