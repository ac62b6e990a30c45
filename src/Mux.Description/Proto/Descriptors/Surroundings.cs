namespace Mux.Description.Proto.Descriptors;

/// <summary>What holds for the members of a file or message.</summary>
/// <param name="Syntax">Syntax of the file.</param>
/// <param name="Features">The features there.</param>
/// <param name="Place">The file or message, for errors.</param>
/// <param name="HasOptions">True if the file may have options of Mux.</param>
internal readonly record struct Surroundings(ProtoSyntax Syntax, FeatureSet Features, string Place, bool HasOptions);
