using System.Diagnostics;
using System.Globalization;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Whoever makes the items of a request stream runs on other threads, in the context of the call that they are for.</summary>
public sealed class ProducerContextTests : EndToEndTests
{
    private static readonly AsyncLocal<string?> s_local = new();

    private readonly List<(string? Local, Activity? Activity, MuxCallOptions? Options, CultureInfo Culture)> _seen = [];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_producer_sees_what_its_caller_saw_when_it_made_the_call(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed()))).CreateProxy<IMixed>();
        var options = new MuxCallOptions { Metadata = new MuxMetadata { { "tenant", "blue" } } };
        var culture = CultureInfo.GetCultureInfo("de-CH");
        using var activity = new Activity("of the caller").Start();

        await InContextAsync(() => sut.Sum(new Question(), ItemsAsync()).AsTask());
        await InContextAsync(() => sut.Talk(new Question(), ItemsAsync()).CountAsync().AsTask());

        Assert.Equal(6, _seen.Count);
        Assert.All(_seen, seen => Assert.Equal(("of the caller", activity, options, culture), seen));
        Assert.Null(s_local.Value);

        async Task InContextAsync(Func<Task> call)
        {
            (s_local.Value, CultureInfo.CurrentCulture) = ("of the caller", culture);
            Task running;
            using (options.Apply()) running = call();
            await running;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_producer_of_a_caller_that_keeps_its_context_to_itself_runs_in_none()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed()))).CreateProxy<IMixed>();
        s_local.Value = "of the caller";
        Task call;
        using (ExecutionContext.SuppressFlow()) call = SumAsync(sut);
        await call;
        Assert.All(_seen, seen => Assert.Null(seen.Local));
    }

    private Task SumAsync(IMixed sut) => sut.Sum(new Question(), ItemsAsync()).AsTask();

    private async IAsyncEnumerable<Question> ItemsAsync()
    {
        for (int id = 0; id < 3; id++)
        {
            _seen.Add((s_local.Value, Activity.Current, MuxCallOptions.Current, CultureInfo.CurrentCulture));
            await Task.Yield();
            yield return new Question { Id = id };
        }
    }
}
