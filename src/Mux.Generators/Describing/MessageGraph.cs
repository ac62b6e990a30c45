using System.Collections.Immutable;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Protobuf;

namespace Mux.Generators.Describing;

/// <summary>
/// Names of messages in protobuf, and the syntax of their files. Messages that contain each other must be in one file: they share a package, and proto2 if one
/// of them needs it.
/// </summary>
internal sealed class MessageGraph
{
    private static readonly LastMade<MessageModel, MessageLinks> s_links = new();

    private readonly Dictionary<string, MessageModel> _byCodec;
    private readonly Dictionary<string, (ProtoName Name, bool IsProto2)> _known = new(StringComparer.Ordinal);

    // Tarjan's algorithm: the order in which messages were met, the earliest that each reaches, and those whose circle is not complete.
    private readonly Dictionary<string, int> _met = new(StringComparer.Ordinal);
    private readonly Stack<MessageModel> _open = new();

    public MessageGraph(IEnumerable<MessageModel> messages)
    {
        _byCodec = messages.ToDictionary(static message => message.Codec, StringComparer.Ordinal);
        foreach (var message in _byCodec.Values)
        {
            if (IsDescribed(message) && !_met.ContainsKey(message.Codec)) Visit(message);
        }
    }

    /// <summary>True if a message has its own description. A surrogate's message and a bare value are described where they are used.</summary>
    public static bool IsDescribed(MessageModel message) => message is { Surrogate: null, IsWrapper: false, Proto: not null };

    /// <summary>Gets all names.</summary>
    public IEnumerable<ProtoName> Names => _known.Values.Select(static known => known.Name);

    /// <summary>Gets the message of a codec; null if it is not one of a user's types.</summary>
    public MessageModel? Find(string codec) => _byCodec.TryGetValue(codec, out var message) ? message : null;

    /// <summary>Gets the name of a message that <see cref="IsDescribed"/>.</summary>
    public ProtoName NameOf(MessageModel message) => _known[message.Codec].Name;

    /// <summary>Gets the name of the message of a codec; null if it has none.</summary>
    public ProtoName? FindName(string codec) => _known.TryGetValue(codec, out var known) ? known.Name : null;

    /// <summary>True if a message is in a proto2 file.</summary>
    public bool IsProto2(MessageModel message) => _known[message.Codec].IsProto2;

    /// <summary>
    /// Gets the message that is written for a codec: a surrogate instead of its message, the first base of a class hierarchy instead of a class.
    /// </summary>
    public MessageModel Written(string codec)
    {
        var message = _byCodec[codec];
        while ((message.Surrogate?.Codec ?? message.Hierarchy?.RootCodec) is { } other && other != message.Codec && Find(other) is { } written)
            message = written;
        return message;
    }

    /// <summary>True if fields need proto2: groups, and defaults that are not zero.</summary>
    public static bool NeedsProto2(IEnumerable<MemberModel> members) => members.Any(static member =>
        member.Value.WireType == WireType.StartGroup || DefaultText.Of(member) is not null
            || (member.Value is EnvelopeModel envelope && NeedsProto2(envelope.Message.Members)));

    private static void AddTargets(List<string> codecs, IEnumerable<MemberModel> members)
    {
        foreach (var member in members)
        {
            if (member.Value is NestedModel nested) codecs.Add(nested.Codec);
            else if (member.Value is EnvelopeModel envelope) AddTargets(codecs, envelope.Message.Members);
        }
    }

    // With a stack of its own: messages may refer to each other in a chain that is longer than the stack of a thread allows.
    private void Visit(MessageModel start)
    {
        var visits = new Stack<Visited>();
        visits.Push(Enter(start));
        while (visits.Count > 0)
        {
            var visit = visits.Peek();
            if (visit.Targets.MoveNext())
            {
                var target = visit.Targets.Current;
                if (!_met.TryGetValue(target.Codec, out int met)) visits.Push(Enter(target));
                else if (!_known.ContainsKey(target.Codec)) visit.Reach(met);
                continue;
            }

            visits.Pop();
            if (visit.First == visit.Index) Complete(visit.Message);
            if (visits.Count > 0) visits.Peek().Reach(visit.First);
        }
    }

    private Visited Enter(MessageModel message)
    {
        var visit = new Visited(message, _met.Count, TargetsOf(message));
        _met.Add(message.Codec, visit.Index);
        _open.Push(message);
        return visit;
    }

    private IEnumerator<MessageModel> TargetsOf(MessageModel message)
    {
        foreach (var codec in LinksOf(message).Codecs) yield return Written(codec);
        foreach (var include in message.Includes) yield return _byCodec[include.Codec];
    }

    private static MessageLinks LinksOf(MessageModel message)
    {
        if (s_links.Of(message) is { } known) return known;
        var codecs = new List<string>();
        AddTargets(codecs, message.Members);
        bool isProto2 = NeedsProto2(message.Members) || message.Includes.Any(static include => include.IsGroup);
        return s_links.Keep(message, new([.. codecs.Distinct(StringComparer.Ordinal)], isProto2));
    }

    private void Complete(MessageModel last)
    {
        var circle = new List<MessageModel>();
        do circle.Add(_open.Pop());
        while (circle[circle.Count - 1].Codec != last.Codec);

        bool isProto2 = circle.Exists(static message => LinksOf(message).NeedsProto2);
        var package = circle[0].Proto!.Package;
        foreach (var message in circle) package = CommonPackage(package, message.Proto!.Package);
        foreach (var message in circle) _known.Add(message.Codec, (Move(message.Proto!, package), isProto2));
    }

    private static string CommonPackage(string one, string other)
    {
        if (one == other) return one;
        var (left, right) = (one.Split('.'), other.Split('.'));
        int same = 0;
        while (same < left.Length && same < right.Length && left[same] == right[same]) same++;
        return string.Join(".", left.Take(same));
    }

    private static ProtoName Move(ProtoName name, string package) => name.Package == package ? name
        : new ProtoName(package, name.Full.Substring(package.Length == 0 ? 0 : package.Length + 1).Replace('.', '_'));

    /// <summary>What the graph asks of a message.</summary>
    /// <param name="Codecs">The messages that its fields hold.</param>
    /// <param name="NeedsProto2">True if its own fields need proto2.</param>
    private sealed record MessageLinks(ImmutableArray<string> Codecs, bool NeedsProto2);

    /// <summary>A message whose circle is not complete.</summary>
    private sealed class Visited(MessageModel message, int index, IEnumerator<MessageModel> targets)
    {
        public MessageModel Message { get; } = message;

        public int Index { get; } = index;

        /// <summary>Gets the earliest message that it reaches.</summary>
        public int First { get; private set; } = index;

        public IEnumerator<MessageModel> Targets { get; } = targets;

        public void Reach(int earlier) => First = Math.Min(First, earlier);
    }
}
