using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Diagnostics;

/// <summary>From when on calls look for an activity that they may carry. Each test has a copy of the library that nothing has touched; nothing else runs meanwhile.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class FirstActivityTests
{
    private readonly Assembly _untouched = new AssemblyLoadContext(nameof(FirstActivityTests)).LoadFromAssemblyPath(typeof(MuxChannel).Assembly.Location);

    [Fact]
    public void An_activity_that_is_current_when_the_first_channel_is_created_is_noticed()
    {
        using (new Activity("of the caller").Start()) CreateChannel();
        Assert.True(IsNoticed);
    }

    [Fact]
    public void An_activity_that_begins_between_the_first_channel_and_its_first_call_is_noticed()
    {
        CreateChannel();
        using (new Activity("of the caller").Start()) Assert.NotNull(Activity.Current);
        Assert.True(IsNoticed);
    }

    [Fact]
    public void An_activity_that_is_current_when_a_later_channel_is_created_is_noticed()
    {
        var caller = new Activity("of the caller").Start();
        var context = ExecutionContext.Capture()!;
        Activity.Current = null;
        CreateChannel();
        ExecutionContext.Run(context, _ => CreateChannel(), null);
        Assert.True(IsNoticed);
        caller.Dispose();
    }

    [Fact]
    public void Without_an_activity_none_is_looked_for()
    {
        CreateChannel();
        Assert.False(IsNoticed);
    }

    private bool IsNoticed => (bool)_untouched.GetType("Mux.Telemetry.Tracing")!.GetProperty("IsUsed")!.GetValue(null)!;

    private void CreateChannel()
    {
        var create = _untouched.GetType(typeof(MuxChannel).FullName!)!.GetMethod(nameof(MuxChannel.Create), [typeof(string)])!;
        using var channel = (IDisposable)create.Invoke(null, ["mux://127.0.0.1:1"])!;
    }
}
