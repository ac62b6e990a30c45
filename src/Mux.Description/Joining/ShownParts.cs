using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Joining;
using Mux.Description.Reading;

namespace Mux.Description.Joining;

/// <summary>Leaves methods out of descriptors, and with them the types that no other method reaches: a caller that may not call learns nothing.</summary>
internal sealed class ShownParts
{
    private readonly Dictionary<string, JoinedType> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<JoinedType, TypePart> _shown = [];
    private readonly Queue<JoinedType> _reached = new();

    private ShownParts(IEnumerable<TypePart> parts)
    {
        foreach (var part in parts)
        {
            var type = new JoinedType(part);
            _types.TryAdd(type.FullName, type);
        }
    }

    /// <param name="parts">All descriptors of the contracts.</param>
    /// <param name="isShown">Decides about a method by the wire names of its service and its own.</param>
    /// <returns>The descriptors that are left, in the same order.</returns>
    public static IReadOnlyList<TypePart> Of(IEnumerable<TypePart> parts, Func<string, string, bool> isShown)
    {
        var shown = new ShownParts(parts);
        foreach (var type in shown._types.Values.Where(static type => type.Part.Kind == PartKind.Service)) shown.Show(type, isShown);
        while (shown._reached.TryDequeue(out var type)) shown.Reach(type.Names);
        return [.. shown._types.Values.Where(shown._shown.ContainsKey).Select(type => shown._shown[type])];
    }

    /// <summary>Shows the methods of a service that may be shown. What callers serve is shown with the methods that name it.</summary>
    private void Show(JoinedType service, Func<string, string, bool> isShown)
    {
        var (wireName, isCallback) = PartOptions.OfService(service.Part.Descriptor.Span);
        if (isCallback) return;
        var left = new WireWriter();
        bool isEmpty = true;
        var reader = new WireReader(service.Part.Descriptor.Span, PartOptions.Place);
        while (reader.Read())
        {
            if (reader.Field == 2)
            {
                var method = PartOptions.MethodOf(reader.Content());
                if (!isShown(wireName ?? service.FullName, method.Options.WireName ?? method.Name)) continue;
                isEmpty = false;
                Reach(NamesIn(method.Options));
            }

            left.Bytes(reader.Field, reader.Content());
        }

        if (isEmpty) return;
        var part = service.Part with { Descriptor = left.ToArray() };
        _shown.Add(service, part);
        Reach(new JoinedType(part).Names);
    }

    private void Reach(IEnumerable<string> names)
    {
        foreach (var type in names.Select(name => FileJoin.Find(_types, name)).OfType<JoinedType>())
        {
            if (!_shown.TryAdd(type, type.Part)) continue;
            _reached.Enqueue(type);
            if (type.Part.Kind == PartKind.Service) ReachOptions(type.Part.Descriptor.Span);
        }
    }

    private void ReachOptions(ReadOnlySpan<byte> service)
    {
        var reader = new WireReader(service, PartOptions.Place);
        while (reader.Read())
        {
            if (reader.Field == 2) Reach(NamesIn(PartOptions.MethodOf(reader.Content()).Options));
        }
    }

    /// <summary>Types that a method names in its options alone.</summary>
    private static IEnumerable<string> NamesIn(ProtoMethodOptions options) =>
        new[] { options.Arguments }.Concat(options.Details.Select(static detail => detail.Message)).OfType<string>().Concat(options.Callbacks);
}
