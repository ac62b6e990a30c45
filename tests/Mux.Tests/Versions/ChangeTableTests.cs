using Mux.Tests.EndToEnd;
using Mux.Tests.Versions.After;
using Mux.Tests.Versions.Before;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Versions;

/// <summary>
/// The table of changes in docs/versioning.md: each row is what an old client and a new server, and a new client and an old server, do about a contract that has
/// this change. The rows, and what they say, are those of the page.
/// </summary>
public sealed class ChangeTableTests : EndToEndTests
{
    private static readonly Guid s_id = new("00112233-4455-6677-8899-aabbccddeeff");
    private static readonly DateTime s_day = new(2026, 2, 28, 0, 0, 0, DateTimeKind.Utc);

    private static readonly (string Change, string Compatible, Func<Sides, Task> Holds)[] s_rows =
    [
        ("add a method", "yes", async sides =>
        {
            await AssertUnimplementedAsync(sides.New.Added(1));
            Assert.Equal((2, 2), (await sides.Old.Echo(2), await sides.New.Echo(2)));
        }),
        ("remove a method", "no", sides => AssertUnimplementedAsync(sides.Old.Removed(1))),
        ("rename a method or interface in C#", "yes", async sides => Assert.Equal((1, 2), (await sides.Old.Called(1), await sides.New.Renamed(2)))),
        ("reorder methods", "yes", async sides => Assert.Equal((1, 2), (await sides.Old.Echo(1), await sides.New.Echo(2)))),
        ("change the name on the wire", "no", async sides =>
        {
            await AssertUnimplementedAsync(sides.Old.OldName(1));
            await AssertUnimplementedAsync(sides.New.NewName(1));
        }),
        ("add a field to a message", "yes", async sides =>
        {
            Assert.Null((await sides.New.Send(new After.Item { Id = 1, Added = "x" })).Added);
            Assert.Equal(1, (await sides.Old.Send(new Before.Item { Id = 1 })).Id);
        }),
        ("remove a field", "yes", async sides =>
        {
            var item = await sides.Old.Send(new Before.Item { Id = 1, Removed = "x" });
            Assert.Equal((1, null), (item.Id, item.Removed));
            Assert.Equal(1, (await sides.New.Send(new After.Item { Id = 1 })).Id);
        }),
        ("rename a field", "yes", async sides =>
        {
            Assert.Equal("a", (await sides.Old.Send(new Before.Item { Name = "a" })).Name);
            Assert.Equal("b", (await sides.New.Send(new After.Item { FullName = "b" })).FullName);
        }),
        ("change the number of a field", "no", async sides =>
        {
            Assert.Equal(0, (await sides.Old.Number(new Before.Numbered { Id = 5 })).Id);
            Assert.Equal(0, (await sides.New.Number(new After.Numbered { Id = 5 })).Id);
        }),
        ("change `short` to `int`, `int` to `long`", "reads", async sides =>
        {
            Assert.Equal(int.MinValue, (await sides.Old.Send(new Before.Item { Amount = int.MinValue })).Amount);
            Assert.Equal(int.MaxValue, (await sides.New.Send(new After.Item { Amount = int.MaxValue })).Amount);
            var error = await AssertFailsAsync(sides.New.Send(new After.Item { Amount = 1L << 40 }), MuxStatus.InvalidArgument);
            Assert.Contains("Before.Item, field 4 (Amount)", error.Message, StringComparison.Ordinal);
            Assert.Equal(short.MinValue, (await sides.Old.Send(new Before.Item { Width = short.MinValue })).Width);
            Assert.Equal(short.MaxValue, (await sides.New.Send(new After.Item { Width = short.MaxValue })).Width);
            await AssertFailsAsync(sides.New.Send(new After.Item { Width = 1 << 15 }), MuxStatus.InvalidArgument);
            Assert.Equal(2, await sides.New.Echo(2));
        }),
        ("change `long` to `int`, `int` to `short`", "no", async sides =>
        {
            Assert.Equal(short.MaxValue, (await sides.New.Send(new After.Item { Height = short.MaxValue })).Height);
            await AssertFailsAsync(sides.Old.Send(new Before.Item { Height = 1 << 15 }), MuxStatus.InvalidArgument);
        }),
        ("another constant as the initializer of a nullable member", "reads", async sides =>
        {
            Assert.Equal((3, 5), ((await sides.Old.Send(new Before.Item())).Retries, (await sides.New.Send(new After.Item())).Retries));
            Assert.Equal(5, (await sides.Old.Send(new Before.Item { Retries = null })).Retries); // the new server's value of none
            Assert.Equal(3, (await sides.New.Send(new After.Item { Retries = null })).Retries); // the old server's
        }),
        ("append a parameter", "yes, unless the only one was a message", async sides =>
        {
            Assert.Equal(TimeSpan.FromSeconds(3), await sides.Old.Wait(TimeSpan.FromSeconds(3)));
            Assert.Equal(TimeSpan.FromSeconds(3), await sides.New.Wait(TimeSpan.FromSeconds(3), deep: true));
            Assert.Equal((s_id, s_id), (await sides.Old.Find(s_id), await sides.New.Find(s_id, 1)));
            Assert.Equal((1.50m, 1.50m), (await sides.Old.Pay(1.50m), await sides.New.Pay(1.50m, "note")));
            Assert.Equal((s_day, s_day), (await sides.Old.Book(s_day), await sides.New.Book(s_day, s_day)));
            Assert.Equal([s_id, Guid.Empty], await sides.Old.FindAll([s_id, Guid.Empty]));
            Assert.Equal([s_id, Guid.Empty], await sides.New.FindAll([s_id, Guid.Empty], 1));
            Assert.Equal((0, 5), (await sides.Old.Add(0), await sides.New.Add(5, 7)));
            Assert.Equal(("a", "b"), (await sides.Old.Name("a"), await sides.New.Name("b", "c")));
            await AssertFailsAsync(sides.Old.Extend(new Before.Item { Id = 5 }), MuxStatus.InvalidArgument);
            await AssertFailsAsync(sides.New.Extend(new After.Item { Id = 5 }, 1), MuxStatus.InvalidArgument);
        }),
        ("insert or remove a parameter", "no", async sides =>
        {
            await AssertFailsAsync(sides.Old.Insert("a"), MuxStatus.InvalidArgument);
            await AssertFailsAsync(sides.New.Insert(1, "a"), MuxStatus.InvalidArgument);
        }),
        ("add `MuxCallOptions` or a `CancellationToken`", "yes", async sides => Assert.Equal((1, 2), (await sides.Old.Plain(1), await sides.New.Plain(2)))),
        ("`ValueTask<T>`, `Task<T>`, with or without `MuxResult<T>`", "yes", async sides =>
        {
            Assert.Equal((1, 2), (await sides.Old.Shaped(1), (await sides.New.Shaped(2)).Value));
            Assert.Equal([0, 1, 2], await sides.Old.Count(3).ToListAsync());
            Assert.Equal([0, 1, 2], await sides.New.Count(3).ReadAllAsync().ToListAsync());
            await using var read = await sides.Old.Read(5);
            Assert.Equal(5, await LengthAsync(read));
            await using var piped = (await sides.New.Read(5)).AsStream();
            Assert.Equal(5, await LengthAsync(piped));
        }),
        ("a list becomes a stream, or the reverse", "no", async sides =>
        {
            await Assert.ThrowsAsync<MuxException>(() => sides.Old.List(2).AsTask());
            await Assert.ThrowsAsync<MuxException>(() => sides.New.List(2).ToListAsync().AsTask());
        }),
        ("add a method to a `[MuxCallback]` interface, reorder its methods", "yes", async sides =>
        {
            Assert.Equal(6, await sides.Old.Import(5, new Before.Watcher()));
            Assert.Equal(MuxStatus.Unimplemented, sides.Server.Missing[0]);
            Assert.Equal(6, await sides.New.Import(5, new After.Watcher(), new After.Watcher()));
        }),
        ("append a callback to a method that takes one", "yes", async sides =>
        {
            Assert.Equal(6, await sides.Old.Import(5, new Before.Watcher()));
            Assert.Equal(MuxStatus.Unimplemented, sides.Server.Missing[1]);
            Assert.Equal(6, await sides.New.Import(5, new After.Watcher(), new After.Watcher()));
        }),
        ("`Dispatch = Ordered` or `Serial`, `Batched`", "yes", async sides =>
        {
            Assert.Equal((1, 2), (await sides.Old.Dispatched(1), await sides.New.Dispatched(2)));
            Assert.Equal((1, 2), (await sides.Old.Serial(1), await sides.New.Serial(2)));
            Assert.Equal((1, 2), (await sides.Old.Batched(1), await sides.New.Batched(2)));
        }),
        ("add a `[MuxError<T>]`", "yes", async sides =>
        {
            var error = await AssertFailsAsync(sides.Old.Fail(1), MuxStatus.NotFound);
            Assert.Equal(("none", null), (error.Message, error.Detail));
            Assert.Null((await AssertFailsAsync(sides.New.Fail(1), MuxStatus.NotFound)).Detail);
        }),
        ("give a number of a `[MuxError]` to another type", "no", async sides =>
        {
            // the status arrives, and the detail is lost or means something else
            Assert.NotEqual("why", ((await AssertFailsAsync(sides.Old.Trouble(1), MuxStatus.NotFound)).Detail as OldTrouble)?.Reason);
            Assert.NotEqual(5, ((await AssertFailsAsync(sides.New.Trouble(1), MuxStatus.NotFound)).Detail as NewTrouble)?.Code);
        }),
        ("another compatibility level, its `SingleValues`, another serializer or `DataFormat`", "no", async sides =>
        {
            await AssertFailsAsync(sides.Old.Level(s_id), MuxStatus.InvalidArgument);
            await AssertFailsAsync(sides.New.Level(s_id), MuxStatus.InvalidArgument);
        }),
    ];

    public static TheoryData<string> Changes => new(s_rows.Select(static row => row.Change));

    [Theory(Timeout = TestLimit)]
    [MemberData(nameof(Changes))]
    public async Task A_change_is_as_compatible_as_the_table_says(string change)
    {
        var scene = Begin(TransportKind.InMemory);
        var changed = new Changed();
        var after = scene.StartServer(server => server.AddService<IChanged>(changed));
        var before = scene.StartServer(server => server.AddService<IChanges>(new Before.Changes()));
        var sides = new Sides(scene.CreateChannel(after).CreateProxy<IChanges>(), scene.CreateChannel(before).CreateProxy<IChanged>(), changed);
        await s_rows.Single(row => row.Change == change).Holds(sides);
    }

    [Fact]
    public void The_rows_are_those_of_the_page()
    {
        var rows = SourceTree.Read("docs/versioning.md").Split('\n').SkipWhile(static line => !line.StartsWith("| change ", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(static line => line.StartsWith('|')).Select(static line => line.Split('|')).Select(static cells => (cells[1].Trim(), cells[2].Trim()));
        Assert.Equal(s_rows.Select(static row => (row.Change, row.Compatible)), rows);
    }

    private static Task AssertUnimplementedAsync(ValueTask<int> call) =>
        call.FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

    private static async Task<MuxException> AssertFailsAsync<T>(ValueTask<T> call, MuxStatus status)
    {
        var error = await Assert.ThrowsAsync<MuxException>(() => call.AsTask());
        Assert.Equal(status, error.Status);
        return error;
    }

    private static async Task<long> LengthAsync(Stream stream)
    {
        using var all = new MemoryStream();
        await stream.CopyToAsync(all);
        return all.Length;
    }

    /// <param name="Old">A client of before, whose server is of after.</param>
    /// <param name="New">A client of after, whose server is of before.</param>
    /// <param name="Server">That server of after.</param>
    private sealed record Sides(IChanges Old, IChanged New, Changed Server);
}
