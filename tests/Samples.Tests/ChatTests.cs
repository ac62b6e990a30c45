using System.Collections.Concurrent;
using Chat;
using Mux;
using Mux.TestSupport.EndToEnd;

namespace Samples.Tests;

/// <summary>samples/11-chat.</summary>
public sealed class ChatTests
{
    [Fact]
    public async Task What_one_says_all_in_the_room_get()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        await using var bob = await Screen.OpenAsync(server.Address, "lobby", "bob");
        await using var cid = await Screen.OpenAsync(server.Address, "attic", "cid");

        await ann.User.Chat.Say("lobby", "hello");

        await ann.Shows("ann: hello");
        await bob.Shows("ann: hello");
        await ann.Shows("* bob has entered lobby");
        Assert.DoesNotContain("ann: hello", cid.Lines);
    }

    [Fact]
    public async Task Who_is_there_is_known_and_who_goes_is_told()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        var bob = await Screen.OpenAsync(server.Address, "lobby", "bob");
        await using var cid = await Screen.OpenAsync(server.Address, "attic", "cid");
        Assert.Equal(["ann", "bob"], await ann.User.Chat.Who("lobby"));
        Assert.Equal(["ann", "bob", "cid"], await ann.User.Chat.Online());

        await bob.DisposeAsync();

        await ann.Shows("* bob has left lobby");
        Assert.Equal(["ann"], await ann.User.Chat.Who("lobby"));
    }

    [Fact]
    public async Task Nobody_is_left_as_a_ghost_when_two_hundred_go_at_once()
    {
        const int Users = 200;
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        var others = await Task.WhenAll(Enumerable.Range(0, Users).Select(user => Screen.OpenAsync(server.Address, "lobby", $"user {user}")));

        await Task.WhenAll(others.Select(async other => await other.DisposeAsync()));

        await Eventually.Holds(() => Left() == Users, () => $"{Users} users that left; {Left()} were heard of");
        Assert.Equal(["ann"], await ann.User.Chat.Who("lobby"));

        int Left() => ann.Lines.Count(static line => line.EndsWith(" has left lobby", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_question_is_asked_to_all_others_in_the_room()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        await using var bob = await Screen.OpenAsync(server.Address, "lobby", "bob");
        await using var cid = await Screen.OpenAsync(server.Address, "lobby", "cid", answer: false);

        Assert.Equal(new Vote(Yes: 1, No: 1, Silent: 0, Reasons: string.Empty), await ann.User.Chat.Ask("lobby", "Tea?", cancellationToken: TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_name_is_taken_once()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        await using var other = MuxChannel.Create(server.Address);

        var error = await Assert.ThrowsAsync<MuxException>(async () => await other.CreateProxy<IChat>().Enter("lobby", "ann", cancellationToken: TestContext.Current.CancellationToken));

        Assert.Equal(MuxStatus.AlreadyExists, error.Status);
    }

    [Fact]
    public async Task Who_cannot_enter_is_told_why_in_one_line()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        var lines = new ConcurrentQueue<string>();
        await using var other = ChatUser.Start(server.Address, "lobby", "ann", lines.Enqueue, static _ => true);
        await Eventually.Holds(() => !lines.IsEmpty, "the reason");
        Assert.Equal("! not in lobby: Somebody is called ann already.", lines.First());

        await ann.DisposeAsync(); // the other one has tried again by then, or does so now
        await Eventually.Holds(() => lines.Contains("* in lobby: ann"), () => $"the entry among {string.Join(" | ", lines)}");
        Assert.Single(lines, static line => line.StartsWith('!'));
    }

    [Fact]
    public async Task Who_does_not_answer_a_question_is_named_with_the_reason()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        await using var bob = ChatUser.Start(server.Address, "lobby", "bob", static _ => { }, static question =>
            question.StartsWith("Do you accept", StringComparison.Ordinal) ? true : throw new MuxException(MuxStatus.Aborted, "I am away."));
        await ann.Shows("* bob has entered lobby");

        Assert.Equal(new Vote(Yes: 0, No: 0, Silent: 1, Reasons: "bob: I am away."), await ann.User.Chat.Ask("lobby", "Tea?", cancellationToken: TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task All_enter_again_when_the_server_is_back()
    {
        string address;
        Screen ann, bob;
        await using (var server = ChatServer.Start("mux://127.0.0.1:0"))
        {
            address = server.Address;
            ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
            bob = await Screen.OpenAsync(server.Address, "lobby", "bob");
        }

        await using var again = ChatServer.Start(address);

        await Eventually.Holds(() => ann.Entries == 2 && bob.Entries == 2, "both are back");
        await ann.User.Chat.Say("lobby", "still here?");
        await bob.Shows("ann: still here?");
        await ann.DisposeAsync();
        await bob.DisposeAsync();
    }

    [Fact]
    public async Task The_history_has_what_was_said_last()
    {
        await using var server = ChatServer.Start("mux://127.0.0.1:0");
        await using var ann = await Screen.OpenAsync(server.Address, "lobby", "ann");
        for (int i = 1; i <= 5; i++) await ann.User.Chat.Say("lobby", $"line {i}");

        var lines = new List<string>();
        await foreach (var line in ann.User.Chat.History("lobby", 2, TestContext.Current.CancellationToken)) lines.Add(line.Text);

        Assert.Equal(["line 4", "line 5"], lines);
    }
}
