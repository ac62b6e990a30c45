namespace Mux.Generators.Describing;

/// <summary>Description of a message or service, emitted with its codec or contract.</summary>
/// <param name="Parts">Its own types, and the enums that it names.</param>
/// <param name="Codecs">Codecs of the messages that it names, which describe those.</param>
internal sealed record DescriptionModel(EquatableArray<PartModel> Parts, EquatableArray<string> Codecs);
