using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>
/// What a description depends on besides its own model: what a graph answered while it was made. It holds for each graph that
/// gives the same answers. Not thread-safe while it is made.
/// </summary>
/// <param name="graph">The graph to ask.</param>
/// <param name="taken">Names that services and their messages cannot have.</param>
internal sealed class GraphAnswers(MessageGraph graph, HashSet<string> taken)
{
    private static readonly HashSet<string> s_none = [];

    private readonly List<(string Codec, bool IsPart, string Written, ProtoName Name)> _types = [];
    private readonly List<(string Codec, MessageModel? Wrapper)> _wrappers = [];
    private readonly List<(string Name, bool IsTaken)> _names = [];
    private MessageGraph? _graph = graph;
    private HashSet<string>? _taken = taken;

    public GraphAnswers(MessageGraph graph)
        : this(graph, s_none)
    {
    }

    /// <summary>Gets the message that is written for a codec, and its name.</summary>
    public (string Codec, ProtoName Name) Written(string codec) => TypeOf(codec, isPart: false);

    /// <summary>Gets the part of a derived class, and its name.</summary>
    public (string Codec, ProtoName Name) Part(string codec) => TypeOf(codec, isPart: true);

    /// <summary>Gets the message of a codec if it is a bare value; null if it is not.</summary>
    public MessageModel? Wrapper(string codec)
    {
        var wrapper = WrapperOf(_graph!, codec);
        _wrappers.Add((codec, wrapper));
        return wrapper;
    }

    public bool IsTaken(string name)
    {
        bool isTaken = _taken!.Contains(name);
        _names.Add((name, isTaken));
        return isTaken;
    }

    /// <summary>Lets go of the graph: what follows are comparisons with others.</summary>
    public void Complete() => (_graph, _taken) = (null, null);

    /// <summary>True if a graph gives the same answers.</summary>
    public bool HoldFor(MessageGraph other, HashSet<string>? taken = null)
    {
        foreach (var (codec, isPart, written, name) in _types)
        {
            var message = isPart || other.Find(codec) is null ? other.Find(codec) : other.Written(codec);
            if (message?.Codec != written || other.FindName(written) != name) return false;
        }

        foreach (var (codec, wrapper) in _wrappers)
        {
            if (WrapperOf(other, codec) != wrapper) return false;
        }

        foreach (var (name, isTaken) in _names)
        {
            if (taken!.Contains(name) != isTaken) return false;
        }

        return true;
    }

    private static MessageModel? WrapperOf(MessageGraph graph, string codec) =>
        graph.Find(codec) is { IsWrapper: true } wrapper ? wrapper : null;

    private (string Codec, ProtoName Name) TypeOf(string codec, bool isPart)
    {
        var message = isPart ? _graph!.Find(codec)! : _graph!.Written(codec);
        var name = _graph!.NameOf(message);
        _types.Add((codec, isPart, message.Codec, name));
        return (message.Codec, name);
    }
}
