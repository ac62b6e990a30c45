using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>How objects of a message type are made; see <see cref="MessageModel"/> for the parts.</summary>
internal sealed record ConstructionModel(Construction Kind, EquatableArray<int> Parameters, bool NeedsAccessor);
