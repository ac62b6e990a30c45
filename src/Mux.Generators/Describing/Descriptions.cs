using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Adds descriptions to the models of one assembly.</summary>
internal static class Descriptions
{
    /// <summary>Name of the property of a project that turns them off.</summary>
    public const string Property = "build_property.MuxDescriptions";

    public static EquatableArray<MessageModel> AddTo(EquatableArray<MessageModel> messages)
    {
        var graph = new MessageGraph(messages);
        return new([.. messages.Select(message =>
            MessageGraph.IsDescribed(message) ? message with { Description = MessageDescriber.Describe(graph, message) } : message)]);
    }

    /// <param name="services">The contracts.</param>
    /// <param name="messages">All messages that they reach.</param>
    public static EquatableArray<ServiceModel> AddTo(EquatableArray<ServiceModel> services, EquatableArray<MessageModel> messages)
    {
        var graph = new MessageGraph(messages);
        var taken = ServiceDescriber.TakenNames(graph, services);
        return new([.. services.Select(service => service with { Description = ServiceDescriber.Describe(graph, service, taken) })]);
    }

    /// <summary>Describes models that stay as they are.</summary>
    /// <param name="services">The contracts.</param>
    /// <param name="messages">All messages that they reach.</param>
    public static IEnumerable<DescriptionModel> Of(EquatableArray<ServiceModel> services, EquatableArray<MessageModel> messages)
    {
        var graph = new MessageGraph(messages);
        var taken = ServiceDescriber.TakenNames(graph, services);
        return services.Select(service => ServiceDescriber.Describe(graph, service, taken))
            .Concat(messages.Where(MessageGraph.IsDescribed).Select(message => MessageDescriber.Describe(graph, message)));
    }
}
