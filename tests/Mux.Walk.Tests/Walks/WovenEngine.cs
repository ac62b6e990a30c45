using Mux.Walk.Tests.Plays;
using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Walks;

/// <summary>
/// Woven copies of Mux.Core and Mux.Abstractions in a folder of their own. The tests of a class share them.
/// </summary>
public sealed class WovenEngine : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-walk").FullName;
    private readonly Weaver _weaver;
    private readonly WovenContext _context;

    public WovenEngine()
    {
        _weaver = new Weaver(_folder);
        _weaver.Weave(typeof(MuxChannel).Assembly.Location);
        _weaver.Weave(typeof(MuxException).Assembly.Location);
        _context = new WovenContext(_folder);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    internal RecordedWalk Perform(string play)
    {
        var plays = (int[][])_context.Call(typeof(Play), nameof(Play.Perform), play)!;
        return RecordedWalk.Choose(play, plays, _weaver.Methods);
    }
}
