namespace Mux.Generators.Describing;

/// <summary>Description of a message or service, emitted with its codec or contract.</summary>
/// <param name="Parts">Its own types, and the enums that it names.</param>
/// <param name="Codecs">Codecs of the messages that it names, and describers of imported types, which describe those.</param>
internal sealed record DescriptionModel(EquatableArray<PartModel> Parts, EquatableArray<string> Codecs)
{
    /// <summary>Gets the description of an imported type, which its describer has.</summary>
    public static DescriptionModel Of(ProtoName imported) =>
        new(EquatableArray<PartModel>.Empty, imported.Describer is { } describer ? new([describer]) : EquatableArray<string>.Empty);
}
