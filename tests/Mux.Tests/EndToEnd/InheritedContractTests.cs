using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>A contract that inherits another one: the methods of the one are called under the names of both, where both are served.</summary>
public sealed class InheritedContractTests : EndToEndTests
{
    private readonly Vault _vault = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task One_instance_serves_both(TransportKind kind)
    {
        var channel = Connect(kind, server => server.AddService<IVault>(_vault).AddService<IArchive>(_vault));
        var vault = channel.CreateProxy<IVault>();
        await vault.Add(new Question { Id = 3, Text = "three" });
        foreach (var sut in new[] { vault, channel.CreateProxy<IArchive>() })
        {
            Assert.Equal(1, await sut.Count());
            Assert.Equal("three", (await sut.Take(3, TestContext.Current.CancellationToken))?.Text);
            Assert.Single(await sut.All(TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_is_not_added_is_not_served(TransportKind kind)
    {
        var channel = Connect(kind, server => server.AddService<IVault>(_vault));
        Assert.Equal(0, await channel.CreateProxy<IVault>().Count());
        var error = await channel.CreateProxy<IArchive>().Count().AsTask().FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("The server does not serve 'test.Archive'", error.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_body_runs_at_the_caller_and_with_the_attribute_at_the_server(TransportKind kind)
    {
        var channel = Connect(kind, server => server.AddService<IVault>(_vault));
        var sut = channel.CreateProxy<IVault>();
        Assert.True(await sut.IsEmpty());
        Assert.Equal(1, channel.GetStatistics().CallsStarted);
        Assert.Equal("an archive", await sut.Describe());
        Assert.Equal(2, channel.GetStatistics().CallsStarted);
    }

    private MuxChannel Connect(TransportKind kind, Action<MuxServer> addServices)
    {
        var scene = Begin(kind);
        return scene.CreateChannel(scene.StartServer(addServices));
    }

    private sealed class Vault : IVault
    {
        private readonly List<Question> _questions = [];

        public ValueTask<int> Count() => new(_questions.Count);

        public ValueTask<bool> IsEmpty() => throw new InvalidOperationException("It is the caller's.");

        public ValueTask<Question?> Take(int key, CancellationToken cancellationToken = default) => new(_questions.Single(question => question.Id == key));

        public IAsyncEnumerable<Question> All(CancellationToken cancellationToken = default) => _questions.ToAsyncEnumerable();

        public ValueTask Add(Question question)
        {
            _questions.Add(question);
            return default;
        }
    }
}
